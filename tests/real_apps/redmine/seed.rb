# Makes a Redmine to test with out of an empty database, and prints one line of JSON with what tests must know of it.
# Run by `bin/rails runner`. Ada is an administrator, Grace a member of the project "website" with the role Developer.

ActiveRecord::Migration.verbose = false
ActiveRecord::Base.connection.migration_context.migrate
ActiveRecord::Base.connection.schema_cache.clear!
ActiveRecord::Base.descendants.each(&:reset_column_information)
Redmine::DefaultData::Loader.load("en")
Setting.rest_api_enabled = "1"
bug, feature, _support = Tracker.sorted.to_a

password = SecureRandom.alphanumeric(16)
people = { "ada" => ["Ada", "Lovelace", true], "grace" => ["Grace", "Hopper", false] }.to_h do |login, (first, last, admin)|
  person = User.new(firstname: first, lastname: last, mail: "#{login}@example.com")
  person.login = login
  person.admin = admin
  person.password = person.password_confirmation = password
  person.save!
  [login, person]
end

projects = ["Website", "Shop", "Archive"].map do |name|
  Project.create!(name: name, identifier: name.downcase, is_public: false, trackers: [bug, feature],
                  enabled_module_names: ["issue_tracking"])
end
website, _shop, archive = projects
Member.create!(project: website, principal: people["grace"], roles: [Role.find_by!(name: "Developer")])

stage = IssueCustomField.create!(name: "Stage", field_format: "list", possible_values: ["Lead", "Won"],
                                 is_for_all: true, is_required: true, trackers: [feature])
amounts = IssueCustomField.create!(name: "Amount", field_format: "int", is_for_all: true, trackers: [bug, feature])
areas = IssueCustomField.create!(name: "Areas", field_format: "list", possible_values: ["North", "South"],
                                 multiple: true, is_for_all: true, trackers: [bug])

# More issues than two pages hold. Only the first goes through Redmine's model, since 230 of them would take seconds.
first = Issue.create!(project: archive, tracker: bug, author: people["ada"], subject: "Issue 1",
                      priority: IssuePriority.default)
copied = first.attributes.except("id")
Issue.insert_all!((2..230).map { |number| copied.merge("subject" => "Issue #{number}") })
Issue.update_all("root_id = id")

puts JSON.generate(
  password: password,
  keys: people.transform_values(&:api_key),
  custom_fields: { stage: stage.id, amount: amounts.id, areas: areas.id },
)
